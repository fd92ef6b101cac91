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
} from '../../core/contract';
import { findPythonCode } from './find-code';
import { outcomeText } from './outcome-text';

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
