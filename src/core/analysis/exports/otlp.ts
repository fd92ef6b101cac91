/** @file The parts of OTLP JSON (the JSON encoding of the OpenTelemetry protocol) that exported traces use. */

/**
 * OTLP distinguishes integers from floating-point numbers, so integers are bigints here. An attribute that is `undefined` or
 * `null` is not exported.
 */
export type AttributeValue =
  string | number | bigint | boolean | readonly string[] | readonly bigint[] | null | undefined;
export type Attributes = Readonly<Record<string, AttributeValue>>;

type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export interface OtlpEvent {
  readonly name: string;
  readonly timeUnixNano: string;
  readonly attributes: readonly KeyValue[];
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events?: readonly OtlpEvent[];
  readonly status?: { readonly code: StatusCode; readonly message?: string };
}

/** `SPAN_KIND_INTERNAL` and `SPAN_KIND_CLIENT`. OTLP JSON has numbers for all enums. */
export const SPAN_KIND = { internal: 1, client: 3 } as const;
type SpanKind = (typeof SPAN_KIND)[keyof typeof SPAN_KIND];
/** `STATUS_CODE_OK` and `STATUS_CODE_ERROR`. */
export const STATUS = { ok: 1, error: 2 } as const;
type StatusCode = (typeof STATUS)[keyof typeof STATUS];

export function attributesOf(attributes: Attributes): readonly KeyValue[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : { key, value: anyValue(value) },
  );
}

function anyValue(value: NonNullable<AttributeValue>): AnyValue {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'bigint':
      return { intValue: String(value) };
    case 'number':
      return { doubleValue: value };
    default:
      return { arrayValue: { values: value.map(anyValue) } };
  }
}

/** @param at ms since the epoch @returns nanoseconds, as text, because they are too large for an exact number */
export function nanoseconds(at: number): string {
  return `${Math.round(at * 1000)}000`;
}
