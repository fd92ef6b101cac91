/** @file Turns an article in the shape of SQuAD, whose paragraphs have questions, into one flat row for each question. */
import * as z from 'zod/mini';
import type { TableRow } from '../../../core/contract';

// A strict Content-Security-Policy forbids zod's compiled code.
z.config({ jitless: true });

const articleSchema = z.looseObject({
  title: z.nullish(z.string()),
  paragraphs: z.array(
    z.looseObject({
      context: z.string(),
      qas: z.array(
        z.looseObject({
          question: z.string(),
          id: z.nullish(z.union([z.string(), z.number()])),
          answers: z._default(z.array(z.looseObject({ text: z.string() })), []),
        }),
      ),
    }),
  ),
});

/**
 * The rows of an article. A text in place of a row: why the question can't be used, as a sentence.
 * @returns `null`: the value is no such article
 */
export function squadRows(value: TableRow): readonly (TableRow | string)[] | null {
  // Most tables have other rows, and may have millions of them.
  if (!Array.isArray(value.paragraphs)) return null;
  const parsed = articleSchema.safeParse(value);
  if (!parsed.success) return null;
  const { title, paragraphs } = parsed.data;
  return paragraphs.flatMap(({ context, qas }) =>
    qas.map(({ id, question, answers }) => {
      const texts = [...new Set(answers.map(({ text }) => text.trim()))].filter((text) => text !== '');
      if (texts.length === 0) return 'The paragraph does not answer this question.';
      return { id: id ?? null, title: title ?? null, context, question, answers: texts };
    }),
  );
}
