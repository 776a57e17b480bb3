/**
 * Relinks records that name their parent (a file is a tree of them). If the parent is gone, they name the nearest ancestor
 * that remains. If a new record was inserted after that one, they name the new record. Without this, an agent that resumes
 * the file would lose what comes before the gap, or what was inserted.
 */
export function relinkRecords(before: readonly object[], after: readonly object[], id: string, parent: string): object[] {
  const parents = new Map(before.map((record) => [fieldOf(record, id), fieldOf(record, parent)]));
  const kept = new Set(after.map((record) => fieldOf(record, id)));
  /** New records by the record that they follow. */
  const inserted = new Map<unknown, unknown>();
  const known = new Set(parents.keys());
  return after.map((record) => {
    const named = fieldOf(record, parent);
    if (named === undefined) return record;
    let now = nearestKept(named, parents, kept);
    while (inserted.has(now)) now = inserted.get(now);
    const own = fieldOf(record, id);
    // A repeated id would create a cycle.
    if (!known.has(own)) inserted.set(now, own);
    known.add(own);
    return now === named ? record : { ...record, [parent]: now };
  });
}

function nearestKept(named: unknown, parents: ReadonlyMap<unknown, unknown>, kept: ReadonlySet<unknown>): unknown {
  let nearest = named;
  // The parents in a file may form a cycle, so the number of steps is limited.
  for (let steps = 0; parents.has(nearest) && !kept.has(nearest) && steps <= parents.size; steps++) nearest = parents.get(nearest) ?? null;
  return nearest;
}

function fieldOf(record: object, field: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[field];
}
