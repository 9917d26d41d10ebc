/**
 * Gives pending activities, timers and children rows of their own, which stood in `runs.state` before. `id` is the number
 * of the event that scheduled or initiated the item (an INTEGER), for a timer the timer's id (a TEXT); `item` is the
 * record as JSON.
 */
export const PENDING_ITEMS_STEP = `
CREATE TABLE pending_items (
  run_key INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id NOT NULL,
  item TEXT NOT NULL,
  PRIMARY KEY (run_key, kind, id)
) WITHOUT ROWID;
INSERT INTO pending_items (run_key, kind, id, item)
  SELECT run_key, 'activity', CAST(entry.key AS INTEGER), entry.value
  FROM runs, json_each(runs.state, '$.activities') AS entry
  UNION ALL
  SELECT run_key, 'timer', entry.key, entry.value
  FROM runs, json_each(runs.state, '$.timers') AS entry
  UNION ALL
  SELECT run_key, 'child', CAST(entry.key AS INTEGER), entry.value
  FROM runs, json_each(runs.state, '$.children') AS entry;
UPDATE runs SET state = json_remove(state, '$.activities', '$.timers', '$.children');
`;
