/**
 * @file A worker that runs the Python code in its prompt. Usually, an earlier step wrote this code. The
 * worker costs nothing and sends no data over the network.
 */
import {
  abortError,
  CODE_OUTPUT_LIMIT,
  fault,
  type CodeLimits,
  type CodeRunner,
  type Fault,
  type WorkerClient,
  type WorkerEvent,
  type Message,
  type CodeOutcome,
} from '../../core/contract';
import { fencedCode, isPython } from '../../core/contract/worker/fenced-code';

/** The time limit (ms) is short, because later steps of the workflow may wait for the result. */
const LIMITS: CodeLimits = { timeLimit: 10_000, memoryLimit: 512 * 2 ** 20, outputLimit: CODE_OUTPUT_LIMIT };

const NO_CODE =
  'There is no Python code in this step’s prompt. Let this step see an earlier step that writes code in a ```python block.';
const FREE = { usage: { input: 0, output: 0 }, cost: 0 } as const;

export function createPythonWorker(runner: Pick<CodeRunner, 'run'>): WorkerClient {
  return {
    async *run(messages, _options, signal): AsyncGenerator<WorkerEvent> {
      if (signal.aborted) throw abortError();
      const code = findPythonCode(messages);
      if (code === null) {
        yield failed(fault('question-unreadable', NO_CODE));
        return;
      }
      const outcome = await runner.run(code, LIMITS, signal);
      if (outcome.fault?.kind === 'could-not-start') {
        yield failed(fault('internal', outcome.fault.message));
        return;
      }
      yield { type: 'delta', channel: 'content', text: outcomeText(outcome) };
      const finishReason = outcome.fault?.kind === 'output-limit' ? 'length' : 'stop';
      yield { type: 'finished', ...FREE, finishReason };
    },
  };
}

function failed(reason: Fault): WorkerEvent {
  return { type: 'failed', fault: reason, ...FREE };
}

/** The start of a part of a prompt. `worker-prompt.ts` defines the prompt's format. */
const PART_START = /<(overall-task|response|subtask)(?: number="\d+")?>\n/g;

/**
 * Searches the responses of earlier steps, then the worker's subtask, then the question. Returns the last
 * block of Python in the first of these three that has one. If none has one, returns the last block in the
 * responses that states no language. A prompt without the expected tags is searched like a response.
 * @returns `null` if there is no code
 */
export function findPythonCode(messages: readonly Message[]): string | null {
  const text = messages
    .filter((message) => message.role === 'user')
    .map((message) => message.content)
    .join('\n');
  const parts = partsOf(text).map(({ name, inner }) => ({ name, fences: fencedCode(inner) }));
  if (parts.length === 0) parts.push({ name: 'response', fences: fencedCode(text) });
  const of = (...names: string[]) => parts.filter(({ name }) => names.includes(name)).flatMap((part) => part.fences);
  const responses = of('response');
  const inOrder = [...of('overall-task'), ...of('subtask'), ...responses];
  const found = inOrder.findLast(isPython) ?? responses.findLast(({ language }) => language === '');
  return found?.code ?? null;
}

/** Splits a prompt into its tagged parts. Each part ends at the first closing tag of its name. */
function partsOf(text: string): { readonly name: string; readonly inner: string }[] {
  const parts: { name: string; inner: string }[] = [];
  const withoutEnd = new Set<string>();
  let after = 0;
  for (const { 0: start, 1: name = '', index } of text.matchAll(PART_START)) {
    if (index < after || withoutEnd.has(name)) continue;
    const from = index + start.length;
    const end = text.indexOf(`\n</${name}>`, from);
    if (end === -1) {
      withoutEnd.add(name);
      continue;
    }
    parts.push({ name, inner: text.slice(from, end) });
    after = end;
  }
  return parts;
}

/**
 * Maximum length of a sequence of backticks in a text whose fence always consists of backticks. If the text
 * has a longer sequence of backticks, and all its sequences of tildes are shorter, the fence consists of
 * tildes.
 */
const LONG_RUN = 20;

/** What the code printed and how the code ended, as Markdown. The text is at most about twice as long as the output. */
export function outcomeText(outcome: CodeOutcome): string {
  const { stdout, stderr, result, fault } = outcome;
  const blocks: string[] = [];
  if (stdout.trim() !== '') blocks.push(`Python printed:\n\n${fenced(stdout)}`);
  if (stderr.trim() !== '') blocks.push(`To standard error:\n\n${fenced(stderr)}`);
  // Like a notebook, shows the value of the last line. If the code printed something, the value is left out.
  if (blocks.length === 0 && result !== undefined) blocks.push(`The last line has the value:\n\n${fenced(result)}`);
  if (fault?.kind === 'error') blocks.push(`The code failed:\n\n${fenced(fault.message)}`);
  else if (fault) blocks.push(`The code was stopped. ${fault.message}`);
  if (blocks.length === 0) blocks.push('The code ran to its end and printed nothing.');
  return blocks.join('\n\n');
}

/**
 * Encloses a text in a Markdown fence. The fence is longer than any sequence of the same character in the text, so that no
 * printed text can close it.
 */
function fenced(text: string): string {
  const backticks = longestRun(text, '`');
  const tildes = longestRun(text, '~');
  // The longest sequences of backticks and of tildes can't both be longer than half of the text. The fence is
  // based on the shorter one, so the opening and the closing fence together are hardly longer than the text.
  const usesTildes = backticks > LONG_RUN && tildes < backticks;
  const fence = usesTildes ? '~'.repeat(Math.max(3, tildes + 1)) : '`'.repeat(Math.max(3, backticks + 1));
  return `${fence}text\n${withoutLastBreaks(text)}\n${fence}`;
}

function longestRun(text: string, sign: string): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    run = text[at] === sign ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Removes line breaks at the end. Uses a loop, because `/\n+$/` takes quadratic time if text follows the line breaks. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
