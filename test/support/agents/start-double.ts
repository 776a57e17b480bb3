import { after } from "node:test";
import { startProviderDouble, type ProviderDouble, type ProviderDoubleOptions } from "../../../src/testing/index.ts";

/** Starts a provider double that ends with the test that asks for it. */
export async function startDouble(options: ProviderDoubleOptions): Promise<ProviderDouble> {
  const double = await startProviderDouble(options);
  after(() => double.close());
  return double;
}
