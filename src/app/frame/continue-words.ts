/** @file The words of the dialog that asks the user before a saved run continues. */
import { samplingOf } from '../../core/contract';
import type { Callee, ContinueQuestion } from '../../core/runs/continuation';
import { count, priceWords } from '../ui/figures';

/** Maximum length of a name, in UTF-16 units. Longer names come only from files, and would push the buttons off the screen. */
const LONGEST = 80;

export interface ContinueWords {
  readonly title: string;
  readonly sentences: readonly string[];
  /** The label of the button that continues the run. */
  readonly action: string;
}

export function continueWords({ changes, calls, maxTokens }: ContinueQuestion): ContinueWords {
  const sentences = [...new Set(changes.map(changeSentence))];
  const called = [...new Set(calls.map((each) => callSentence(each, maxTokens)))];
  const models = [
    ...new Set(
      changes.flatMap(({ before, now, isSubstitute }) =>
        now && !isSubstitute && now.model !== before.model ? [now.model] : [],
      ),
    ),
  ];
  const [only, ...others] = models;
  return {
    title: titleOf(changes),
    sentences: [
      ...sentences,
      ...(called.length > 0 ? ['This run came from a file. Continuing it calls:', ...called] : []),
    ],
    action: only !== undefined && others.length === 0 ? `Continue with ${cut(only)}` : 'Continue',
  };
}

function titleOf(changes: ContinueQuestion['changes']): string {
  if (changes.length === 0) return 'Continue a run from a file?';
  return changes.every(({ isSubstitute }) => isSubstitute)
    ? 'Continue with another Conductor?'
    : 'Continue with different workers?';
}

function changeSentence({ before, now, isSubstitute }: ContinueQuestion['changes'][number]): string {
  const name = cut((now ?? before).name);
  if (isSubstitute) return `The Conductor ${cut(before.name)} is not available. This Conductor plans instead: ${name}.`;
  if (!now) return `${name} is no longer set up. Its steps will fail.`;
  if (before.model !== now.model) {
    const moved = before.origin === now.origin ? '' : ` at ${placeOf(now)}`;
    return `This run used ${cut(before.model)} for ${name}. ${name} now uses ${cut(now.model)}${moved}.`;
  }
  return `This run called ${name} at ${placeOf(before)}. ${name} is now at ${placeOf(now)}.`;
}

function callSentence(now: Callee, common: number): string {
  const { maxTokens } = samplingOf(now, { maxTokens: common });
  return `${cut(now.name)}: ${cut(now.model)} at ${placeOf(now)}, ${priceWords(now.price)}, up to ${count(maxTokens)} tokens per answer.`;
}

function placeOf({ origin }: Callee): string {
  return origin === null ? 'this machine' : cut(origin);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
