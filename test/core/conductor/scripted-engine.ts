/**
 * @file A scripted text engine for tests. Each call runs the next script, and is recorded in `requested`.
 */
import {
  abortError,
  type EngineEvent,
  type EngineWaiting,
  type Fault,
  type GenerateRequest,
  type TextEngine,
} from '../../../src/core/contract';

export type Script = (signal: AbortSignal) => AsyncIterable<EngineEvent | EngineWaiting>;

const USAGE = { input: 100, output: 20 };

/** A script that writes a text in pieces of seven characters, and then finishes. */
export function delta(text: string, finishReason: 'stop' | 'length' = 'stop'): Script {
  return async function* () {
    for (let from = 0; from < text.length; from += 7) {
      yield { type: 'delta', channel: 'content', text: text.slice(from, from + 7) };
    }
    yield { type: 'finished', usage: USAGE, cost: 0.01, finishReason };
  };
}

/** A script that writes a text and then fails. */
export function failsWith(fault: Fault, text = ''): Script {
  return async function* () {
    if (text !== '') yield { type: 'delta', channel: 'content', text };
    yield { type: 'failed', fault, usage: null, cost: null };
  };
}

/** A script that writes a text, calls `started`, and waits until it is aborted. */
export function waits(text: string, started: () => void): Script {
  return async function* (signal) {
    yield { type: 'delta', channel: 'content', text };
    await new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => reject(abortError()), { once: true });
      started();
    });
  };
}

export class ScriptedEngine implements TextEngine {
  readonly info;
  readonly requested: GenerateRequest[] = [];
  readonly #scripts: readonly Script[];

  constructor(scripts: readonly Script[], enforcesGrammar = false) {
    this.#scripts = scripts;
    this.info = { engine: 'scripted 1', model: 'Scripted', revision: 'abc', enforcesGrammar };
  }

  generate(request: GenerateRequest, signal: AbortSignal): ReturnType<Script> {
    const script = this.#scripts[this.requested.length];
    this.requested.push(request);
    if (!script) throw new Error('The script has no more calls.');
    return script(signal);
  }
}
