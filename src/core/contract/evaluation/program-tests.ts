/**
 * @file The references of programming tasks: JSON texts with the tests that a program must pass. This file depends on zod, so it
 * is not part of the contract's index.
 */
import * as z from 'zod/mini';

const programTest = z.readonly(
  z.object({
    /** The standard input. With `functional`, the arguments as JSON, one per line. */
    input: z.string(),
    /** The expected standard output. With `functional`, the expected result as JSON. */
    output: z.string(),
    testtype: z.enum(['stdin', 'functional']),
  }),
);

/** One test of a program: its standard input, or the arguments of its function. */
export type ProgramTest = z.infer<typeof programTest>;

/** A list of tests, as in the columns of LiveCodeBench that contain tests. */
export const programTestList = z.readonly(z.array(programTest));

/** The reference of a task whose grader is `python`. */
export const programTests = z.readonly(
  z.object({
    tests: programTestList,
    /**
     * More tests, in the published form: a Python pickle, compressed with zlib and encoded as base64. The pickle contains one text:
     * a JSON list of tests.
     */
    privateTests: z.optional(z.string()),
    /** The function to call, or the method of a class `Solution`. Absent: the program reads standard input. */
    functionName: z.optional(z.string()),
  }),
);
export type ProgramTests = z.infer<typeof programTests>;

/** Opens `privateTests`. Rejects with a `FaultError` if they are damaged. */
export type OpenPrivateTests = (compressed: string, signal: AbortSignal) => Promise<readonly ProgramTest[]>;

/** The reference of a task whose grader is `unittest`. */
export const unitTests = z.readonly(
  z.object({
    /** Python code with a `unittest.TestCase` called `TestCases`. It is appended to the program. */
    test: z.string(),
    /** The function that the tests call. */
    entryPoint: z.string(),
    /** Python packages that the program or the tests import, by the names of their modules. */
    libraries: z.readonly(z.array(z.string())),
  }),
);
export type UnitTests = z.infer<typeof unitTests>;
