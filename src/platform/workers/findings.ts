/**
 * @file The findings of a worker's test: the result of each check, or the failure and how to fix it.
 */
import { fault, FaultError } from '../../core/contract';
import type { Fault, ListedModel, Usage, WorkerCheck, WorkerSampling, WorkerSetup } from '../../core/contract';
import { hostOf, type Target } from './target';

/** The ids of the models that the server lists, or the reason why there is no list. */
export type Listed = { readonly models: readonly string[] } | { readonly fault: Fault };

export async function listOrFault(list: () => Promise<readonly ListedModel[]>): Promise<Listed> {
  try {
    return { models: (await list()).map(({ id }) => id) };
  } catch (thrown) {
    if (thrown instanceof FaultError) return { fault: thrown.fault };
    throw thrown;
  }
}

/** The result of the test question. */
export interface Answer {
  readonly text: string;
  readonly reasoned: boolean;
  readonly streamed: boolean;
  readonly usage: Usage | null;
  readonly fault: Fault | null;
}

export function running(name: WorkerCheck['name'], detail: string): WorkerCheck {
  return { name, state: 'running', detail };
}

export function failed(name: WorkerCheck['name'], fault: Fault): WorkerCheck {
  return { name, state: 'failed', detail: fault.message, fault };
}

function passed(name: WorkerCheck['name'], detail: string): WorkerCheck {
  return { name, state: 'passed', detail };
}

function unknown(name: WorkerCheck['name'], detail: string): WorkerCheck {
  return { name, state: 'unknown', detail };
}

/** @param listed the server's reply to the request for its models */
export function addressCheck(target: Target, listed: Listed): WorkerCheck {
  const host = hostOf(target.baseUrl);
  if ('models' in listed && listed.models.length === 0) return passed('address', `${host} answers. ${NO_MODELS}`);
  if ('models' in listed) return passed('address', `${host} answers and lists ${countOf(listed.models.length)}.`);
  if (isAboutKey(listed.fault)) return passed('address', `${host} answers.`);
  const { status } = listed.fault;
  return unknown(
    'address',
    `${host} answers, but gave no list of models (${status}). The question below shows whether the address is right.`,
  );
}

/** The finding if the server answers at a different address. The user can accept the correction with one click. */
export function elsewhereCheck({ baseUrl }: Target, correction: string): WorkerCheck {
  const message = `${hostOf(baseUrl)} has nothing at ${baseUrl}, but it answers at ${correction}.`;
  return { ...failed('address', fault('bad-address', message)), correction };
}

/** Whether a fault concerns the key or its permissions. */
export function isAboutKey({ code }: Fault): boolean {
  return code === 'unauthorized' || code === 'forbidden';
}

/**
 * The finding about the key, after a reply has shown whether the server accepts the key.
 * @param problem why the server refused the key, or `null` if it accepted the key
 */
export function keyCheck({ key, preset }: Target, problem: Fault | null): WorkerCheck {
  if (problem) return failed('key', problem);
  return passed(
    'key',
    key === null ? 'No key is needed.' : `${preset.baseUrl === '' ? 'The server' : preset.label} accepted the key.`,
  );
}

/** Faults that a server reports only after it has accepted the key. */
const LET_IN: readonly Fault['code'][] = [
  'bad-request',
  'content-filtered',
  'payment-required',
  'quota-spent',
  'rate-limited',
  'too-large',
];

/** @returns what the reply to the test question shows about the key, or `null` if there was no reply */
export function keyAnswered(target: Target, problem: Fault | null): WorkerCheck | null {
  if (problem === null || LET_IN.includes(problem.code)) return keyCheck(target, null);
  if (isAboutKey(problem)) return keyCheck(target, problem);
  if (problem.status === undefined) return null;
  return unknown(
    'key',
    `Not checked. The server answered ${problem.status}, which doesn’t show whether the key is right.`,
  );
}

/** The finding if the worker needs a key, but no key is available. */
export function keyMissing({ name }: WorkerSetup, { preset }: Target): WorkerCheck {
  const from = preset.key.from === null ? '' : ` Keys: ${preset.key.from}`;
  return failed('key', fault('unauthorized', `${name} needs a key. Enter it above.${from}`));
}

/** The note for a server whose list of models is empty. */
export const NO_MODELS = 'The server has no models yet. Load one there.';

/** Checks that the model is in the list. Ollama lists a model with its default tag `:latest`, which users may leave out. */
export function modelCheck({ model }: Target, models: readonly string[] | null): WorkerCheck {
  if (models === null) return unknown('model', 'Not checked, because the server gave no list of models.');
  if ([model, `${model}:latest`].some((name) => models.includes(name)))
    return passed('model', `“${model}” is in the list.`);
  const alike = models.filter((name) => name.toLowerCase().includes(model.toLowerCase().slice(0, 4))).slice(0, 3);
  const named = alike.length > 0 ? ` Similar names: ${alike.join(', ')}.` : '';
  return unknown('model', `“${model}” is not in the list.${named}`);
}

export function modelAnswered(): WorkerCheck {
  return passed('model', 'The model answers under this name.');
}

const MOST_SHOWN = 80;

/** @param mostTokens token limit of the answer */
export function answerCheck(target: Target, answer: Answer, mostTokens: number): WorkerCheck {
  if (answer.fault !== null) return failed('answer', answer.fault);
  if (answer.text !== '') return passed('answer', `The model answered “${answer.text.slice(0, MOST_SHOWN)}”.`);
  if (answer.reasoned) {
    const detail = `The model used all its ${mostTokens} tokens for thinking. Give it more tokens for its answers, or let it think less.`;
    return unknown('answer', detail);
  }
  const message = `${target.name} answered without any text. Choose another model, or try again.`;
  return failed('answer', fault('empty-reply', message, { retryable: true }));
}

/** @param isRefused whether the server has refused to stream */
export function streamingCheck({ streamed }: Answer, isRefused: boolean): WorkerCheck {
  if (streamed) return passed('streaming', 'The answer came as a stream.');
  const why = isRefused ? 'The server refuses to stream for this model.' : 'A proxy may be buffering the stream.';
  const detail = `The answer came in one piece. The worker can be used, but its text is shown only when the answer is complete. ${why}`;
  return { name: 'streaming', state: 'failed', detail };
}

export function usageCheck({ usage }: Answer): WorkerCheck {
  if (usage) return passed('usage', `The server counted ${usage.input} tokens in and ${usage.output} out.`);
  const detail =
    'The server doesn’t report how many tokens a call used. The worker can be used. Its tokens and cost are estimates.';
  return { name: 'usage', state: 'failed', detail };
}

/** @param refused the fields for thinking that the provider has refused */
export function reasoningCheck(target: Target, answer: Answer, refused: readonly string[]): WorkerCheck {
  const { preset, reasoning, model } = target;
  const thought = answer.reasoned || (answer.usage?.reasoning ?? 0) > 0;
  if (reasoning === null)
    return passed(
      'reasoning',
      thought ? seen(answer) : 'The model answered without thinking first. No thinking was requested.',
    );
  if (preset.reasoning.request === null) {
    const detail = `${preset.label} doesn’t let a call set how much the model thinks. Set it on that server, and choose “Default” here.`;
    return { name: 'reasoning', state: 'failed', detail };
  }
  if (refused.length > 0) {
    const detail = `${hostOf(target.baseUrl)} refused ${refused.join(' and ')} for ${model}, so the model’s default applies. Choose “Default”, or another model.`;
    return { name: 'reasoning', state: 'failed', detail };
  }
  if (reasoning === 'off') {
    if (!thought) return passed('reasoning', 'The model answered without thinking first, as requested.');
    const detail =
      'The model thought although thinking is turned off. Some models always think. Choose another model, or “Default”.';
    return { name: 'reasoning', state: 'failed', detail };
  }
  if (thought) return passed('reasoning', seen(answer));
  const hidden = preset.reasoning.places.length === 0 ? ` ${preset.label} doesn’t return thoughts.` : '';
  return unknown('reasoning', `The server accepted the setting, but returned no thoughts.${hidden}`);
}

const SAMPLING_NAMES: Readonly<Record<keyof WorkerSampling, string>> = {
  maxTokens: 'max output tokens',
  temperature: 'temperature',
  topP: 'top-p',
  topK: 'top-k',
  presencePenalty: 'presence penalty',
};

/** @param refused the fields of the worker's own sampling that the provider does not support */
export function samplingCheck(target: Target, own: WorkerSampling, refused: readonly string[]): WorkerCheck {
  if (refused.length > 0) {
    const detail = `${hostOf(target.baseUrl)} doesn’t support ${refused.join(' and ')} for ${target.model}, so Podium leaves it out. The model’s default applies.`;
    return { name: 'sampling', state: 'failed', detail };
  }
  const names = Object.entries(SAMPLING_NAMES).flatMap(([field, name]) => (field in own ? name : []));
  return passed('sampling', `The server accepted the worker’s own settings: ${names.join(', ')}.`);
}

function seen({ reasoned, usage }: Answer): string {
  const tokens = usage?.reasoning ? ` (${usage.reasoning} tokens)` : '';
  return reasoned
    ? `The model thought first${tokens}. The thoughts are separate from the answer.`
    : `The model thought first${tokens}. The thoughts are not returned.`;
}

function countOf(models: number): string {
  return models === 1 ? '1 model' : `${models} models`;
}
