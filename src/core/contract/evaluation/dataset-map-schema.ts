/** @file The schema of the assignment of columns in stored datasets, in plan files and in the files of `--map`. */
import * as z from 'zod/mini';
import { shortText } from '../storage/schema-parts';
import { DOMAINS } from '../worker/domain';
import { KNOWN_SETS, type DatasetMap, type FieldMap } from './dataset-map';
import { GRADER_KINDS } from './task';

/** Maximum number of columns with options, and maximum length of the wording of a question. */
const MOST_COLUMNS = 100;
const LONGEST_WORDING = 20_000;

const column = shortText;
const none = z.nullable(column);

export const fieldMapSchema: z.ZodMiniType<FieldMap> = z.object({
  grader: z.enum(GRADER_KINDS),
  domain: z.enum(DOMAINS),
  question: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('column'), column }),
    z.object({ kind: z.literal('template'), text: z.string().check(z.maxLength(LONGEST_WORDING)) }),
  ]),
  reference: none,
  referencePart: z.optional(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('after'), marker: shortText }),
      z.object({ kind: z.literal('last-line') }),
      z.object({ kind: z.literal('box') }),
    ]),
  ),
  id: none,
  group: none,
  choices: z.nullable(
    z.object({
      columns: z.array(column).check(z.maxLength(MOST_COLUMNS)),
      answer: z.enum(['letter', 'index', 'number', 'text', 'first', 'marked']),
      shuffleSeed: z.nullable(z.number()),
    }),
  ),
  tests: z.nullable(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('cases'), tests: column, privateTests: none, functionName: none }),
      z.object({ kind: z.literal('unittest'), test: column, entryPoint: column, libraries: none }),
      z.object({ kind: z.literal('check'), test: column, entryPoint: none, beginning: none }),
      z.object({ kind: z.literal('asserts'), tests: column, setup: none }),
    ]),
  ),
  solution: none,
  isConfidential: z.boolean(),
});

const datasetMapSchema: z.ZodMiniType<DatasetMap> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('known'), set: z.enum(KNOWN_SETS) }),
  z.object({ kind: z.literal('columns'), map: fieldMapSchema }),
]);

/** A stored map. A map that this version can't read counts as absent, so that its dataset and plan stay readable. */
export const storedMapSchema = z.catch(z.optional(datasetMapSchema), undefined);
