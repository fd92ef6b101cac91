/**
 * @file Schemas for the references of programming tasks. A reference is a JSON text with the tests that a program must pass.
 * The contract's index doesn't export this file, because it depends on zod.
 */
import * as z from 'zod/mini';

const programTest = z.readonly(
  z.object({
    /** The standard input. If `testtype` is `functional`: the arguments as JSON, one per line. */
    input: z.string(),
    /** The expected standard output. If `testtype` is `functional`: the expected result as JSON. */
    output: z.string(),
    testtype: z.enum(['stdin', 'functional']),
  }),
);

/** One test of a program: an input and the expected output. */
export type ProgramTest = z.infer<typeof programTest>;

/** A list of tests, in the format of LiveCodeBench. */
export const programTestList = z.readonly(z.array(programTest));

/** The reference of a task whose grader is `python`. */
export const programTests = z.readonly(
  z.object({
    tests: programTestList,
    /**
     * More tests, in the format that LiveCodeBench publishes: a Python pickle, compressed with zlib and encoded as base64.
     * The pickle contains a string with a JSON list of tests.
     */
    privateTests: z.optional(z.string()),
    /** Name of the function to call, or of a method of the class `Solution`. Absent: the program reads standard input. */
    functionName: z.optional(z.string()),
  }),
);
export type ProgramTests = z.infer<typeof programTests>;

/** Decodes `ProgramTests.privateTests`. Rejects with a `FaultError` if they are damaged. */
export type OpenPrivateTests = (compressed: string, signal: AbortSignal) => Promise<readonly ProgramTest[]>;

/** The reference of a task whose grader is `unittest`. */
export const unitTests = z.readonly(
  z.object({
    /** Python code with a `unittest.TestCase` called `TestCases`. It is appended to the program. */
    test: z.string(),
    /** The function that the tests call. */
    entryPoint: z.string(),
    /** Names of the Python modules that the program or the tests import. */
    libraries: z.readonly(z.array(z.string())),
    /** Python code that runs before the program, such as imports. Absent: none. */
    beginning: z.optional(z.string()),
  }),
);
export type UnitTests = z.infer<typeof unitTests>;
