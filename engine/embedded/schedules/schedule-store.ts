import type { SqliteDatabase } from '../persistence/database.ts';
import { Memo, ScheduleMessage, SearchAttributes, fromEncoded, toEncoded } from '../protocol/proto.ts';
import type { Schedule, ScheduleDefinition, ScheduleRef, ScheduleState } from './schedule.ts';
import { CompiledSpec } from './spec/compiled-spec.ts';
import { SpecError } from './spec/spec-error.ts';

interface Row {
  readonly schedule_key: number;
  readonly namespace: string;
  readonly schedule_id: string;
  readonly run_id: string;
  readonly definition: string;
  readonly memo: string;
  readonly search_attributes: string;
  readonly state: string;
}

/** The table of schedules. Changes have to be made within a transaction of the commit group. */
export class ScheduleStore {
  readonly #all;
  readonly #insert;
  readonly #saveDefinition;
  readonly #saveState;
  readonly #delete;
  #nextKey: number;

  constructor(db: SqliteDatabase) {
    const { last } = db.prepare('SELECT max(schedule_key) AS last FROM schedules').get() as {
      last: number | null;
    };
    this.#nextKey = (last ?? 0) + 1;
    this.#all = db.prepare('SELECT * FROM schedules ORDER BY schedule_key');
    this.#insert = db.prepare(
      `INSERT INTO schedules (schedule_key, namespace, schedule_id, run_id, definition, memo, search_attributes, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#saveDefinition = db.prepare(
      'UPDATE schedules SET definition = ?, memo = ?, search_attributes = ? WHERE schedule_key = ?',
    );
    this.#saveState = db.prepare('UPDATE schedules SET state = ? WHERE schedule_key = ?');
    this.#delete = db.prepare('DELETE FROM schedules WHERE schedule_key = ?');
  }

  allocateKey(): number {
    return this.#nextKey++;
  }

  all(): Schedule[] {
    return (this.#all.all() as Row[]).map((row) => ({
      key: row.schedule_key,
      ref: refOf(row),
      definition: definitionOf(row),
      state: JSON.parse(row.state) as ScheduleState,
    }));
  }

  insert({ key, ref, definition, state }: Schedule): void {
    const { namespace, scheduleId, runId } = ref;
    this.#insert.run(key, namespace, scheduleId, runId, ...encode(definition), JSON.stringify(state));
  }

  saveDefinition(key: number, definition: ScheduleDefinition): void {
    this.#saveDefinition.run(...encode(definition), key);
  }

  saveState(key: number, state: ScheduleState): void {
    this.#saveState.run(JSON.stringify(state), key);
  }

  delete(key: number): void {
    this.#delete.run(key);
  }
}

function refOf({ namespace, schedule_id: scheduleId, run_id: runId }: Row): ScheduleRef {
  return { namespace, scheduleId, runId };
}

function definitionOf(row: Row): ScheduleDefinition {
  const schedule = fromEncoded(ScheduleMessage, row.definition);
  const { indexedFields } = fromEncoded(SearchAttributes, row.search_attributes);
  return {
    schedule,
    ...compiled(schedule),
    memo: row.memo === '' ? null : fromEncoded(Memo, row.memo),
    searchAttributes: indexedFields ?? {},
  };
}

/** A schedule that cannot be used on this machine keeps the engine from nothing else. */
function compiled(schedule: ScheduleDefinition['schedule']): Pick<ScheduleDefinition, 'spec' | 'invalid'> {
  try {
    return { spec: new CompiledSpec(schedule.spec ?? {}) };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return { spec: new CompiledSpec({}), invalid: error.message };
  }
}

function encode({ schedule, memo, searchAttributes }: ScheduleDefinition): [string, string, string] {
  return [
    toEncoded(ScheduleMessage, ScheduleMessage.create(schedule)),
    memo === null ? '' : toEncoded(Memo, Memo.create(memo)),
    toEncoded(SearchAttributes, SearchAttributes.create({ indexedFields: searchAttributes })),
  ];
}
