/** @file The answer form of the parameter `response_format`: JSON, with or without a schema. */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import * as z from 'zod/mini';
import { isRecord, parseJson } from '../../../core/contract';
import { ApiError } from '../http/api-error';
import { withoutFence, type AnswerForm } from './answer-form';

const schemaObject = z.record(z.string(), z.unknown());

export const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({ type: z.literal('json_schema'), json_schema: z.looseObject({ schema: schemaObject }) }),
]);

/** Throws an `ApiError` (400) if the schema can't be used. @returns `null` for text */
export function jsonForm(format: z.infer<typeof responseFormat>): AnswerForm<string> | null {
  switch (format.type) {
    case 'text':
      return null;
    case 'json_object':
      return formOf('Answer with a JSON object and no other text.', (value) => (isRecord(value) ? null : 'an object'));
    case 'json_schema': {
      const { schema } = format.json_schema;
      const validate = validatorOf(schema);
      return formOf(
        `Answer with JSON and no other text. The JSON must be valid under this schema:\n\n${JSON.stringify(schema)}`,
        (value) => {
          const checked = validate(value);
          return checked.valid ? null : `valid under the schema (${checked.errorMessage})`;
        },
      );
    }
    default:
      return format satisfies never;
  }
}

/** @param check returns what the value must be but is not, or `null` */
function formOf(instruction: string, check: (value: unknown) => string | null): AnswerForm<string> {
  return {
    instruction,
    read(answer) {
      const text = withoutFence(answer);
      const value = parseJson(text);
      if (value === undefined) return { ok: false, problem: 'is not JSON' };
      const missed = check(value);
      return missed === null ? { ok: true, value: text } : { ok: false, problem: `is not ${missed}` };
    },
  };
}

function validatorOf(schema: Readonly<Record<string, unknown>>) {
  try {
    return new AjvJsonSchemaValidator().getValidator<unknown>(schema);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ApiError(400, `The schema of the answer can’t be used. ${reason}`, { param: 'response_format' });
  }
}
