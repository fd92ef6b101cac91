/** @file Creates state that depends on Svelte effects, so that tests of this state need no component. */
import { flushSync } from 'svelte';

/**
 * @param initial the first value of the input that the state depends on
 * @returns the state, a function that changes the input, and a function that disposes of the effects
 * @throws if `make` returns `undefined`
 */
export function inEffects<Input, Value>(
  initial: Input,
  make: (read: () => Input) => Value,
): { readonly value: Value; readonly setInput: (next: Input) => void; readonly dispose: () => void } {
  let input = $state.raw(initial);
  const made: Value[] = [];
  const dispose = $effect.root(() => {
    made.push(make(() => input));
  });
  const [value] = made;
  if (value === undefined) throw new Error('`make` returned undefined.');
  flushSync();
  const setInput = (next: Input) => {
    input = next;
    flushSync();
  };
  return { value, setInput, dispose };
}
