/**
 * Records that name the record before them (a file is a tree of them). Where that one is gone, they name the nearest one
 * before it that is still there; where a new record was put after that one, they name the new record. Without this, an
 * agent that resumes the file would lose what comes before the gap, or what was written into it.
 */
export function relinkRecords(before: readonly object[], after: readonly object[], id: string, parent: string): object[] {
  const parents = new Map(before.map((record) => [fieldOf(record, id), fieldOf(record, parent)]));
  const kept = new Set(after.map((record) => fieldOf(record, id)));
  /** What a new record follows, and that record. */
  const inserted = new Map<unknown, unknown>();
  const known = new Set(parents.keys());
  return after.map((record) => {
    const named = fieldOf(record, parent);
    if (named === undefined) return record;
    let now = nearestKept(named, parents, kept);
    while (inserted.has(now)) now = inserted.get(now);
    const own = fieldOf(record, id);
    // An id that comes twice would make a ring.
    if (!known.has(own)) inserted.set(now, own);
    known.add(own);
    return now === named ? record : { ...record, [parent]: now };
  });
}

function nearestKept(named: unknown, parents: ReadonlyMap<unknown, unknown>, kept: ReadonlySet<unknown>): unknown {
  let nearest = named;
  // A file may have a ring of parents; it has no more records than steps.
  for (let steps = 0; parents.has(nearest) && !kept.has(nearest) && steps <= parents.size; steps++) nearest = parents.get(nearest) ?? null;
  return nearest;
}

function fieldOf(record: object, field: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[field];
}
