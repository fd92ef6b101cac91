/**
 * @file Saves references to built-in functions before untrusted code runs. Untrusted code can
 * replace these functions on their prototypes.
 */

/** @returns the method as a function that takes its `this` value as the first argument */
function unbound<This, Arguments extends unknown[], Value>(
  method: (this: This, ...values: Arguments) => Value,
): (self: This, ...values: Arguments) => Value {
  return Function.prototype.call.bind(method);
}

export const sliceText: (text: string, start: number, end?: number) => string = unbound(String.prototype.slice);
export const preventDefault: (event: Event) => void = unbound(Event.prototype.preventDefault);
/**
 * Reads an event's data with the original getter. A getter from untrusted code would receive the event, whose
 * `target` is the port to the guard.
 */
export const dataOf: <Data>(event: MessageEvent<Data>) => Data = unbound(getterOf(MessageEvent.prototype, 'data'));

function getterOf(prototype: object, name: string): () => never {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  if (!get) throw new Error(`There is no getter ${name}.`);
  return get as () => never;
}
