/** A record of the view: in the place of one of the file, changed or not, or a new one, which follows the one written before it. */
export interface WrittenRecord {
  readonly record: object;
  readonly inPlaceOf?: object;
}

/**
 * The file with these records for its messages. Every record stays where it stood, those that are no message (snapshots,
 * progress, usage) too; a message record that was not written is gone.
 */
export function weaveRecords(records: readonly object[], isMessage: (record: object) => boolean, written: readonly WrittenRecord[]): object[] {
  const positions = new Map(records.map((record, position) => [record, position]));
  const shown = new Map<number, object>();
  const added = new Map<number, object[]>();
  let latest = -1;
  for (const { record, inPlaceOf } of written) {
    const position = inPlaceOf === undefined ? undefined : positions.get(inPlaceOf);
    // A message that is shown in two parts has one place in the file: the second part is as good as new.
    if (position !== undefined && !shown.has(position)) {
      shown.set(position, record);
      // Lines of one turn may lie between those of another: what is new follows all that came before it.
      latest = Math.max(latest, position);
    } else {
      const behind = added.get(latest);
      if (behind === undefined) added.set(latest, [record]);
      else behind.push(record);
    }
  }
  const woven: object[] = [];
  // What is new before all messages comes after the records that open the file.
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
