import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { describe, expect, it } from 'vitest';
import {
  readConfig,
  readShards,
  sameShape,
  tensorsIn,
  thinksByDefault,
  tokenizerFile,
} from '../../../../src/platform/engine/webllm/model-files';

const config = {
  model_type: 'qwen2',
  quantization: 'q4f16_1',
  tokenizer_files: ['vocab.json', 'tokenizer.json'],
  model_config: { hidden_size: 3584, other: true },
  context_window_size: 32768,
};

describe('the files that describe a model', () => {
  it('list its weights', () => {
    const tensor = { name: 'a', shape: [2, 1], dtype: 'float32' };
    const record = {
      dataPath: 'params_shard_0.bin',
      nbytes: 10,
      md5sum: 'd41d8cd98f00b204e9800998ecf8427e',
      records: [{ ...tensor, format: 'raw', nbytes: 8, byteOffset: 0 }],
    };
    const text = JSON.stringify({ metadata: {}, records: [record, { dataPath: 'b.bin', nbytes: 5 }] });
    expect(readShards(text)).toEqual([
      { path: 'params_shard_0.bin', bytes: 10, digest: { algorithm: 'md5', hex: record.md5sum }, tensors: [tensor] },
      { path: 'b.bin', bytes: 5, digest: null, tensors: null },
    ]);
  });

  it('list all tensors, or none if a file is not described', () => {
    const described = { path: 'a.bin', bytes: 8, digest: null, tensors: [{ name: 'a', shape: [2], dtype: 'float32' }] };
    expect(tensorsIn([described])).toEqual(described.tensors);
    expect(tensorsIn([described, { ...described, tensors: null }])).toBeNull();
  });

  it.each(['', '<!doctype html>', '{}', '{"records":[{"dataPath":"a","nbytes":-1}]}'])(
    'are rejected if invalid: %s',
    (text) => {
      expect(readShards(text)).toBeNull();
      expect(readConfig(text)).toBeNull();
    },
  );

  it('name the tokenizer that WebLLM will use', () => {
    const read = readConfig(JSON.stringify(config));
    expect(read && tokenizerFile(read)).toBe('tokenizer.json');
    expect(tokenizerFile({ tokenizer_files: ['tokenizer.model'] })).toBe('tokenizer.model');
    expect(tokenizerFile({ tokenizer_files: ['vocab.json'] })).toBeNull();
  });

  it.each([896, 1536, 2048, 3584])('determine the library for weights of width %i', (hidden_size) => {
    for (const quantization of ['q4f16_1', 'q4f32_1']) {
      const id = sameShape({ ...config, quantization, model_config: { hidden_size } });
      expect(prebuiltAppConfig.model_list.map(({ model_id }) => model_id)).toContain(id);
    }
  });

  it.each([
    ['qwen3', true],
    ['qwen3_5', true],
    ['qwen2', false],
    [undefined, false],
  ])('show whether a model of type %s thinks by default: %s', (model_type, thinks) => {
    expect(thinksByDefault({ tokenizer_files: [], ...(model_type ? { model_type } : {}) })).toBe(thinks);
  });

  it('determine no library for an unknown width or model type', () => {
    expect(sameShape({ ...config, model_config: { hidden_size: 5120 } })).toBeNull();
    expect(sameShape({ ...config, model_type: 'llama' })).toBeNull();
  });
});
