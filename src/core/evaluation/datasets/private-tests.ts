/** @file Unpacks the private tests of a programming task, which are stored compressed, as in the published dataset. */
import { fault, FaultError, parseJson } from '../../contract';
import { programTestList, type OpenPrivateTests } from '../../contract/evaluation/program-tests';
import { readPickledText } from './pickle';

/** Decodes base64 and decompresses zlib. Rejects with a `FaultError` if the text is damaged or far too long. */
export type InflateBase64 = (compressed: string, signal: AbortSignal) => Promise<Uint8Array>;

export function privateTestsOpener(inflate: InflateBase64): OpenPrivateTests {
  return async (compressed, signal) => {
    const text = readPickledText(await inflate(compressed, signal));
    const tests = programTestList.safeParse(parseJson(text));
    if (!tests.success) {
      const message =
        'The private tests of this task are damaged, so programs for this task can’t be graded. Import the dataset again.';
      throw new FaultError(fault('bad-request', message));
    }
    return tests.data;
  };
}
