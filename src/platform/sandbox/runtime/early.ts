/**
 * @file Functions of the language as they are before foreign code runs, which can replace them on their prototypes.
 */

/** @returns the method as a function of its object */
function unbound<This, Arguments extends unknown[], Value>(
  method: (this: This, ...values: Arguments) => Value,
): (self: This, ...values: Arguments) => Value {
  return Function.prototype.call.bind(method);
}

export const sliceText: (text: string, start: number, end?: number) => string = unbound(String.prototype.slice);
