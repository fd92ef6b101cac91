/**
 * @file Reads requests and writes responses in the format of OpenRLHF, a training library. OpenRLHF sends lists of texts with
 * labels, and receives lists of rewards.
 */
import * as z from 'zod/mini';
import { parseJson } from '../../../core/contract';
import { ApiError } from '../http/api-error';
import { parseBody } from '../http/body';
import { completionSchema, MOST_ITEMS, scoredOn, type ScoreItem, type ScoreResult } from './score-request';

/** Maximum length of a text, in UTF-16 units: a prompt with its question, an answer, and the escapes of JSON. */
const LONGEST_TEXT = 2_000_000;

const texts = z.array(z.string().check(z.maxLength(LONGEST_TEXT))).check(z.minLength(1), z.maxLength(MOST_ITEMS));
const rewardBody = z.looseObject({
  /** For each sample, the prompt and the answer as one text, with the model's special tokens. */
  query: texts,
  prompts: texts,
  /** For each sample, its task, pool and seed as JSON. `podium prompts` writes this text to the column `label`. */
  labels: texts,
});

/** The text that begins the answer in the chat format of Qwen models. */
const ASSISTANT = '<|im_start|>assistant\n';
/** Special tokens at the end of an answer. */
const END_TOKENS = ['<|im_end|>', '<|endoftext|>', '<|eot_id|>', '<|end_of_text|>', '</s>'];

/** Reads the items of a request. Throws an `ApiError` (400) if the request or a label is invalid. */
export function readRewardItems(value: unknown): readonly ScoreItem[] {
  const { query, prompts, labels } = parseBody(rewardBody, value);
  if (prompts.length !== query.length || labels.length !== query.length) {
    throw new ApiError(400, '“query”, “prompts” and “labels” must have the same length.', { param: 'query' });
  }
  return query.map((text, index) => {
    const label = parseBody(scoredOn, parsedLabel(labels[index] ?? ''));
    // Results are looked up by id, label and answer. The request has no ids, so samples with the same label and answer share
    // a result.
    return { ...label, id: '', completion: parseBody(completionSchema, answerIn(text, prompts[index] ?? '')) };
  });
}

/** The answer without the prompt. The prompt has example workflows, which must not be parsed as the answer. */
function answerIn(query: string, prompt: string): string {
  const isFirst = prompt !== '' && query.startsWith(prompt);
  const turn = isFirst ? 0 : query.indexOf(ASSISTANT);
  if (turn < 0) {
    throw new ApiError(400, 'The query does not begin with its prompt and has no turn of the assistant.', {
      param: 'query',
    });
  }
  return withoutEndTokens(isFirst ? query.slice(prompt.length) : query.slice(turn + ASSISTANT.length));
}

/** Removes the special tokens at the end and the white space around them. */
function withoutEndTokens(answer: string): string {
  let rest = answer;
  for (;;) {
    const text = rest.trimEnd();
    const token = END_TOKENS.find((each) => text.endsWith(each));
    if (token === undefined) return rest === answer ? answer : text;
    rest = text.slice(0, -token.length);
  }
}

function parsedLabel(label: string): unknown {
  const value = parseJson(label);
  if (value !== undefined) return value;
  throw new ApiError(400, 'A label is not JSON. Use the column “label” of podium prompts.', { param: 'labels' });
}

/** The response. Throws an `ApiError` (422) if a reward is unknown, because OpenRLHF needs a number for each sample. */
export function rewardsOf(results: readonly ScoreResult[]) {
  const rewards = results.map(({ reward }) => {
    if (reward !== null) return reward;
    throw new ApiError(422, 'This server can’t grade a task of this request. Leave this task out of the training.', {
      code: 'not_gradable',
    });
  });
  return {
    rewards,
    scores: rewards,
    extra_logs: {
      format: results.map(({ format }) => Number(format)),
      correct: results.map(({ correct }) => Number(correct ?? false)),
      steps: results.map(({ steps }) => steps),
      calls: results.map(({ calls }) => calls),
    },
  };
}
