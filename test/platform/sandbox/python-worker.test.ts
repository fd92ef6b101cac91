import { describe, expect, it } from 'vitest';
import { abortError, type CodeOutcome, type CodeRunner, type WorkerEvent } from '../../../src/core/contract';
import { PYTHON_WORKER } from '../../../src/platform/sandbox/python-entry';
import { createPythonWorker } from '../../../src/platform/sandbox/python-worker';

const OPTIONS = { worker: PYTHON_WORKER, attempt: 0, seed: 1, temperature: 0, maxTokens: 100 };
const CODE = [{ role: 'user' as const, content: '```python\nprint(6 * 7)\n```' }];
const FREE = { usage: { input: 0, output: 0 }, cost: 0 };

async function collect(events: AsyncIterable<WorkerEvent>): Promise<WorkerEvent[]> {
  const all: WorkerEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function replies(
  outcome: Partial<CodeOutcome>,
  messages = CODE,
): Promise<{ events: WorkerEvent[]; codes: string[] }> {
  const codes: string[] = [];
  const runner: Pick<CodeRunner, 'run'> = {
    run: async (code) => {
      codes.push(code);
      return { ok: outcome.fault === undefined, stdout: '', stderr: '', time: 1, ...outcome };
    },
  };
  const events = await collect(createPythonWorker(runner).run(messages, OPTIONS, new AbortController().signal));
  return { events, codes };
}

describe('the Python worker', () => {
  it('runs the code in the message and returns what the code printed, free of charge', async () => {
    const { events, codes } = await replies({ stdout: '42\n' });
    expect(codes).toEqual(['print(6 * 7)']);
    expect(events).toEqual([
      { type: 'delta', channel: 'content', text: 'Python printed:\n\n```text\n42\n```' },
      { type: 'finished', ...FREE, finishReason: 'stop' },
    ]);
  });

  it('answers with the error of the code, so that a later step can fix the code', async () => {
    const { events } = await replies({ fault: { kind: 'error', message: 'NameError: x' } });
    expect(events[0]).toMatchObject({ type: 'delta', text: expect.stringContaining('NameError: x') });
    expect(events[1]).toMatchObject({ type: 'finished' });
  });

  it('finishes with the reason `length` if the output of the code was cut', async () => {
    const { events } = await replies({ stdout: 'x', fault: { kind: 'output-limit', message: 'It printed too much.' } });
    expect(events.at(-1)).toMatchObject({ type: 'finished', finishReason: 'length' });
  });

  it('fails with a non-retryable fault if the message contains no code', async () => {
    const { events, codes } = await replies({}, [{ role: 'user', content: 'What is six times seven?' }]);
    expect(codes).toEqual([]);
    expect(events).toEqual([
      { type: 'failed', ...FREE, fault: expect.objectContaining({ code: 'question-unreadable', retryable: false }) },
    ]);
  });

  it('fails when Python cannot start', async () => {
    const { events } = await replies({ fault: { kind: 'could-not-start', message: 'Python could not start.' } });
    expect(events).toEqual([
      { type: 'failed', ...FREE, fault: { code: 'internal', message: 'Python could not start.', retryable: false } },
    ]);
  });

  it('rejects with the AbortError of the code runner', async () => {
    const runner: Pick<CodeRunner, 'run'> = { run: () => Promise.reject(abortError()) };
    const run = createPythonWorker(runner).run(CODE, OPTIONS, new AbortController().signal);
    await expect(collect(run)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
