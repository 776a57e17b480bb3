import { findUnreadable } from "./find-unreadable.ts";
import { invalid, PalimpsestError } from "./palimpsest-error.ts";

// `never` accepts any parameter types: arguments are passed on unchanged.
type AnyFunction = (...args: never[]) => unknown;

/**
 * Wraps a function for callers of this package: if unreadable data (circular, nested by the thousand, a BigInt, a getter that throws) makes
 * it fail somewhere inside, the error names the value. The check runs only after a failure, so it costs nothing otherwise. Any other
 * failure is a bug of this package and is rethrown unchanged. `names`: the names of the arguments.
 */
export function guarded<F extends AnyFunction>(run: F, ...names: readonly string[]): F {
  const guard = (...args: Parameters<F>): unknown => {
    try {
      const result = run(...args);
      return result instanceof Promise ? result.catch((error: unknown) => refuse(error, args, names)) : result;
    } catch (error) {
      return refuse(error, args, names);
    }
  };
  return guard as F;
}

/** Does the same for the methods of an object that callers receive. */
export function guardMethods<T extends object>(target: T, methods: { readonly [K in keyof T]?: readonly string[] }): T {
  for (const [method, names] of Object.entries(methods) as [keyof T, readonly string[]][]) {
    const run = target[method];
    if (typeof run !== "function") continue;
    const value = guarded<AnyFunction>((run as unknown as AnyFunction).bind(target), ...names);
    Object.defineProperty(target, method, { value, configurable: true, enumerable: Object.hasOwn(target, method), writable: true });
  }
  return target;
}

function refuse(error: unknown, args: readonly unknown[], names: readonly string[]): never {
  if (PalimpsestError.isInstance(error)) throw error;
  for (const [number, name] of names.entries()) {
    const unreadable = findUnreadable(args[number], name);
    if (unreadable === undefined) continue;
    const { message, code, data } = invalid("INVALID_INPUT", unreadable.path, unreadable.expected, unreadable.found);
    throw new PalimpsestError(code, message, data, error);
  }
  throw error;
}
