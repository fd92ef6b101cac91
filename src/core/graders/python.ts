/** @file Grades programs by standard input and by call. */
import type { ProgramTest } from '../contract/evaluation/program-tests';

/** Unpacks private tests. Rejects with an `Error` if they are not in the published format. */
export type OpenPrivateTests = (packed: string) => Promise<readonly ProgramTest[]>;
