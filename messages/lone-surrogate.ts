/**
 * Where an escape in a JSON text stands for half a surrogate pair; -1 where none does. No text holds such a thing, and it would
 * reach the model as another one.
 */
export function loneSurrogateAt(bytes: Buffer): number {
  let first = -1;
  for (const start of ['\\ud', '\\uD']) {
    for (
      let at = bytes.indexOf(start);
      at !== -1 && (first === -1 || at < first);
      at = bytes.indexOf(start, at + 3)
    ) {
      if (isEscaped(bytes, at)) continue;
      const unit = unitAt(bytes, at);
      const isLone = isLow(unit) ? !isHigh(bytes, at - 6) : unit >= 0xd800 && !isLow(unitAt(bytes, at + 6));
      if (isLone) first = at;
    }
  }
  return first;
}

/** Whether the backslash at this place is escaped, because an odd number of backslashes precedes it. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at;
  while (bytes[before - 1] === 0x5c) before -= 1;
  return (at - before) % 2 === 1;
}

/** Reads the code unit of the escape at this place; NaN where there is no escape. */
function unitAt(bytes: Buffer, at: number): number {
  const digits = /^\\u([0-9a-fA-F]{4})$/.exec(bytes.toString('latin1', at, at + 6))?.[1];
  return digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function isHigh(bytes: Buffer, at: number): boolean {
  if (at < 0 || isEscaped(bytes, at)) return false;
  const unit = unitAt(bytes, at);
  return unit >= 0xd800 && unit <= 0xdbff;
}
