/**
 * @file Keeps built-in functions as they are before untrusted code runs, because that code can replace them on their prototypes.
 */

/** @returns the method as a function of its object */
function unbound<This, Arguments extends unknown[], Value>(
  method: (this: This, ...values: Arguments) => Value,
): (self: This, ...values: Arguments) => Value {
  return Function.prototype.call.bind(method);
}

export const sliceText: (text: string, start: number, end?: number) => string = unbound(String.prototype.slice);
export const preventDefault: (event: Event) => void = unbound(Event.prototype.preventDefault);
