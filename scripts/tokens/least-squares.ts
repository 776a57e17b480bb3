/** Many equations with few unknowns each. The left side of equation `n` is the sum of its features, from `starts[n]` on. */
export interface Equations {
  readonly features: number[];
  readonly starts: number[];
  readonly values: number[];
  readonly weights: number[];
}

const ITERATIONS = 60;

/** Returns the unknowns with the least squared error, by conjugate gradients; the ridge pulls each towards zero. */
export function leastSquares({ features, starts, values, weights }: Equations, size: number, ridge: (unknown: number) => number): Float64Array {
  const columns = Int32Array.from(features);
  const begins = Int32Array.from(starts);
  const scale = Float64Array.from({ length: size }, (_, unknown) => ridge(unknown));
  const ridges = scale.slice();
  /** The normal equations times a vector. */
  const times = (vector: Float64Array): Float64Array => {
    const product = vector.map((value, unknown) => value * (ridges[unknown] ?? 0));
    for (let row = 0; row < values.length; row++) {
      let sum = 0;
      for (let at = begins[row] ?? 0; at < (begins[row + 1] ?? 0); at++) sum += vector[columns[at] ?? 0] ?? 0;
      sum *= weights[row] ?? 0;
      for (let at = begins[row] ?? 0; at < (begins[row + 1] ?? 0); at++) product[columns[at] ?? 0] = (product[columns[at] ?? 0] ?? 0) + sum;
    }
    return product;
  };
  const residual = new Float64Array(size);
  for (let row = 0; row < values.length; row++) {
    const pull = (weights[row] ?? 0) * (values[row] ?? 0);
    for (let at = begins[row] ?? 0; at < (begins[row + 1] ?? 0); at++) {
      const column = columns[at] ?? 0;
      residual[column] = (residual[column] ?? 0) + pull;
      scale[column] = (scale[column] ?? 0) + (weights[row] ?? 0);
    }
  }
  const solution = new Float64Array(size);
  const scaled = (vector: Float64Array): Float64Array => vector.map((value, unknown) => value / Math.max(1e-9, scale[unknown] ?? 0));
  let step = scaled(residual);
  let energy = dot(residual, step);
  const direction = step.slice();
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const moved = times(direction);
    const length = energy / Math.max(1e-12, dot(direction, moved));
    for (let unknown = 0; unknown < size; unknown++) {
      solution[unknown] = (solution[unknown] ?? 0) + length * (direction[unknown] ?? 0);
      residual[unknown] = (residual[unknown] ?? 0) - length * (moved[unknown] ?? 0);
    }
    step = scaled(residual);
    const next = dot(residual, step);
    for (let unknown = 0; unknown < size; unknown++) direction[unknown] = (step[unknown] ?? 0) + (next / energy) * (direction[unknown] ?? 0);
    energy = next;
  }
  return solution;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
