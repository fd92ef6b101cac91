import { describe, expect, it } from 'vitest';
import { folderFiles } from '../../../../src/platform/engine/transformers/files';

const file = (path: string) => ({ path, file: new File([path], path.split('/').at(-1) ?? '') });

describe('a folder with a model', () => {
  it.each(['', 'model/', 'models/mine/'])('may be at any depth below the picked folder: “%s”', async (root) => {
    const files = folderFiles(['onnx/model.onnx', 'config.json', 'old/config.json'].map((path) => file(root + path)));
    expect(await files.find('onnx/model.onnx')).toEqual({ size: `${root}onnx/model.onnx`.length, isHere: true });
    expect(await (await files.open('config.json'))?.text()).toBe(`${root}config.json`);
  });

  it('returns no file for a path that it does not contain', async () => {
    const files = folderFiles([file('config.json')]);
    expect(await files.find('tokenizer.json')).toBeNull();
    expect(await files.open('tokenizer.json')).toBeNull();
    expect(await files.bring('tokenizer.json', () => undefined)).toBe(false);
  });
});
