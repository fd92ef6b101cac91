/** @file The source of a model's files: a server, or a folder that the user picked. */
import { FaultError } from '../../../core/contract';
import type { FolderFile } from '../folder';
import type { Named } from '../engine-faults';
import { fetchFault } from '../fetch-fault';
import { httpFault, missingFile } from './webllm-faults';

export interface FileSource {
  /**
   * Opens a file. Throws a `FaultError`, or an `AbortError` if the signal aborts.
   * @param isRepeat whether to bypass the browser's HTTP cache, which may contain a damaged copy
   */
  open(path: string, signal: AbortSignal, isRepeat?: boolean): Promise<Response>;
  readonly named: Named;
}

/**
 * Reads files from a server.
 * @param base URL against which relative paths are resolved. For relative paths, it must end with a slash
 */
export function serverSource(base: string, label: string): FileSource {
  return {
    named: { label, host: new URL(base).host },
    async open(path, signal, isRepeat = false) {
      const address = new URL(path, base);
      const named = { label, host: address.host };
      let response: Response;
      try {
        response = await fetch(address, { signal, cache: isRepeat ? 'reload' : 'default' });
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        throw new FaultError(await fetchFault(address, thrown, named));
      }
      if (response.ok) return response;
      await response.body?.cancel();
      throw new FaultError(httpFault(response.status, path, named));
    },
  };
}

/**
 * Reads files from a folder that the user picked. Podium copies the files into the cache under a
 * URL that cannot exist, and WebLLM reads them like downloaded files. So later loads need neither
 * the folder nor a permission to read it.
 * @param files the files of the folder. Empty if the user has not picked the folder in this session
 */
export function folderSource(files: readonly FolderFile[], label: string): FileSource {
  const named: Named = { label, host: null };
  return {
    named,
    open(path) {
      const found = files.find((each) => each.path === path);
      if (found) return Promise.resolve(new Response(found.file));
      return Promise.reject(new FaultError(missingFile(path, named)));
    },
  };
}
