/** @file Formats the result of checking many answers. */
import type { Checked } from './run-actions.svelte';
import { count, listed, plural } from '../ui/figures';

/** "Checked: 12 right, 3 wrong and 5 can’t be checked." */
export function checkedWords({ right, wrong, unchecked, own }: Checked): string {
  const parts = [
    `${count(right)} right`,
    `${count(wrong)} wrong`,
    ...(unchecked > 0 ? [`${count(unchecked)} can’t be checked`] : []),
    ...(own > 0 ? [`${plural(own, 'run keeps', 'runs keep')} your own grade`] : []),
  ];
  return `Checked: ${listed(parts)}.`;
}
