/** A record of the view. It takes the place of a record of the file, changed or not, or is new and follows the one written before it. */
export interface WrittenRecord {
  readonly record: object;
  readonly inPlaceOf?: object;
}

/**
 * Returns the file with these records as its messages. Every record stays in its place, including those that are not messages
 * (snapshots, progress, usage). Message records that were not written are removed.
 */
export function weaveRecords(records: readonly object[], isMessage: (record: object) => boolean, written: readonly WrittenRecord[]): object[] {
  const positions = new Map(records.map((record, position) => [record, position]));
  const shown = new Map<number, object>();
  const added = new Map<number, object[]>();
  let latest = -1;
  for (const { record, inPlaceOf } of written) {
    const position = inPlaceOf === undefined ? undefined : positions.get(inPlaceOf);
    // A message that is shown in two parts has one place in the file, so the second part is placed like a new one.
    if (position !== undefined && !shown.has(position)) {
      shown.set(position, record);
      // Lines of one turn may stand between those of another, so new records follow everything before them.
      latest = Math.max(latest, position);
    } else {
      const following = added.get(latest);
      if (following === undefined) added.set(latest, [record]);
      else following.push(record);
    }
  }
  const woven: object[] = [];
  // New records before all messages come after the records that open the file.
  const opening = records.findIndex(isMessage);
  records.forEach((record, position) => {
    if (position === opening) woven.push(...(added.get(-1) ?? []));
    const replacement = shown.get(position);
    if (replacement !== undefined) woven.push(replacement);
    else if (!isMessage(record)) woven.push(record);
    woven.push(...(added.get(position) ?? []));
  });
  return opening === -1 ? [...woven, ...(added.get(-1) ?? [])] : woven;
}
