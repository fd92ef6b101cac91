/** @file Serves the calls of a Web Worker that runs one model. */
import { FaultError, isAbort, type Fault } from '../../core/contract';
import { serveCalls, type ServedCall, type ServePort } from '../serve-calls';
import type { ModelReport } from './reports';

interface ServedModel<Load, Use, Model, Report> {
  /** Parses a command. Throws if it is invalid. */
  readonly read: (data: unknown) => Load | Use;
  /**
   * Loads the model. The fault of a failure is that of the thrown error.
   * @param lose called if the loaded model can no longer be used
   */
  readonly load: (
    command: Load,
    report: (report: ModelReport) => void,
    lose: (because: Fault) => void,
  ) => Promise<{ readonly model: Model; readonly what: string }>;
  /** Carries out a call of the loaded model. Resolves with the last report. Throws an `AbortError` if it was stopped. */
  readonly use: (model: Model, command: Use, call: ServedCall<ModelReport | Report>) => Promise<Report>;
  /** The fault of an error that `use` has thrown. `isWell` is true if the model can still be used. */
  readonly faultOf: (thrown: unknown, model: Model) => { readonly fault: Fault; readonly isWell: boolean };
}

/** Serves the calls that arrive at the port. */
export function serveModel<
  Load extends { readonly type: 'load' },
  Use extends { readonly type: string },
  Model,
  Report,
>(port: ServePort<Load | Use>, { read, load, use, faultOf }: ServedModel<Load, Use, Model, Report>): void {
  let model: Model | null = null;
  let lose: (because: Fault) => void = () => undefined;
  const isLoad = (command: Load | Use): command is Load => command.type === 'load';

  async function carryOut(command: Load | Use, call: ServedCall<ModelReport | Report>): Promise<ModelReport | Report> {
    if (isLoad(command)) {
      const lost = new Promise<never>((_, reject) => (lose = (because) => reject(new FaultError(because))));
      const loaded = await load(command, call.report, (because) => lose(because));
      model = loaded.model;
      call.report({ type: 'loaded', what: loaded.what });
      return lost;
    }
    if (model === null) throw new Error('A call arrived before the model was loaded.');
    try {
      return await use(model, command, call);
    } catch (thrown) {
      if (call.signal.aborted && isAbort(thrown)) throw thrown;
      const { fault, isWell } = faultOf(thrown, model);
      if (isWell) throw new FaultError(fault);
      lose(fault);
      // The page fails this call, too, because it terminates the Web Worker.
      return new Promise<never>(() => undefined);
    }
  }

  serveCalls(port, carryOut, read);
}
