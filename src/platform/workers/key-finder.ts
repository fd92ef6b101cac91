/** @file Checks whether a text contains one of several keys, also in the changed forms that `key-forms.ts` finds. */
import { withoutKey } from './provider-words';

export function createKeyFinder(keys: readonly string[]): (text: string) => boolean {
  return (text) => keys.some((key) => withoutKey(text, key) !== text);
}
