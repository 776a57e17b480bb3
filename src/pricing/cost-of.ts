import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { sumOfBills, type Bill, type RequestBill } from "./billing/bill.ts";
import type { BilledRequest } from "./billing/billed-request.ts";
import { createBiller, type Biller, type BillOptions } from "./biller.ts";

/**
 * Bills the requests of one thread, in the order in which they were sent, as the provider would: with its prices, and with a cache that
 * starts empty. Nothing is sent.
 */
export function costOf(requests: readonly BilledRequest[], model: string, options: BillOptions = {}): Bill {
  const given: unknown = requests;
  if (!Array.isArray(given)) throw invalid("INVALID_INPUT", "requests", "an array of requests", given);
  const biller = createBiller(model, options);
  const bills = requests.map((request, number) => billAt(biller, request, `requests.${number}`));
  return { requests: bills, total: sumOfBills(bills) };
}

function billAt(biller: Biller, request: BilledRequest, path: string): RequestBill {
  try {
    return biller.bill(request);
  } catch (error) {
    if (!(error instanceof PalimpsestError) || error.code !== "INVALID_INPUT") throw error;
    const { path: inside } = error.data;
    throw new PalimpsestError(error.code, `${path}.${error.message}`, { ...error.data, path: `${path}.${String(inside)}` }, error);
  }
}
