/**
 * @file Two ways to run the same model: through Podium, and in a Web Worker that uses WebLLM or transformers.js directly. For
 * Podium, the time is measured where the page receives the text. For the library, it is measured in the Web Worker.
 */
import type { GenerateRequest, LocalEngine } from '../../../src/core/contract';
import type { LoadCommand } from '../../../src/platform/engine/transformers/messages';
import type { LoadCommand as MlcLoadCommand } from '../../../src/platform/engine/webllm/messages';

/** One answer. `firstToken` and `end` are times in ms after the request. */
export interface Sample {
  readonly text: string;
  readonly tokens: number;
  readonly firstToken: number;
  readonly end: number;
}

export interface Contender {
  run(request: GenerateRequest): Promise<Sample>;
  dispose(): void;
}

/**
 * The messages to a Web Worker that uses a library directly. `command` has the same format as the load command for Podium's own
 * Web Worker.
 */
export type BareCommand =
  { readonly type: 'load'; readonly command: unknown } | { readonly type: 'run'; readonly request: GenerateRequest };
export type BareReport = { readonly type: 'loaded' } | { readonly type: 'ran'; readonly sample: Sample };

export function podium(engine: LocalEngine): Contender {
  return {
    async run(request) {
      const began = performance.now();
      let firstToken = Number.NaN;
      let text = '';
      for await (const event of engine.generate(request, new AbortController().signal)) {
        if (event.type === 'failed') throw new Error(event.fault.message);
        if (event.type === 'finished') {
          return { text, tokens: event.usage?.output ?? 0, firstToken, end: performance.now() - began };
        }
        if (text === '') firstToken = performance.now() - began;
        text += event.text;
      }
      throw new Error('The engine ended without a finished event.');
    },
    dispose: () => void engine.dispose(),
  };
}

/** @param worker a Web Worker that receives {@link BareCommand} and sends {@link BareReport} */
export async function bare(worker: Worker, command: LoadCommand | MlcLoadCommand): Promise<Contender> {
  const send = (command: BareCommand) =>
    new Promise<BareReport>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<BareReport>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(command);
    });
  await send({ type: 'load', command });
  return {
    async run(request) {
      const report = await send({ type: 'run', request });
      if (report.type !== 'ran') throw new Error('The bare worker sent an unexpected report.');
      return report.sample;
    },
    dispose: () => worker.terminate(),
  };
}
