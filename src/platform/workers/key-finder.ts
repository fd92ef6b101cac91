/** @file Checks whether a text contains one of several keys, also in a changed form such as base64 (see `key-forms.ts`). */
import { withoutKey } from './provider-words';

export function createKeyFinder(keys: readonly string[]): (text: string) => boolean {
  return (text) => keys.some((key) => withoutKey(text, key) !== text);
}
