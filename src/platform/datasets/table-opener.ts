/** @file Opens tables from files and from the hub. */
import { fault, FaultError, type Clock, type TableOpener } from '../../core/contract';
import { fileSource } from './byte-source';
import { datasetAddress, HUGGING_FACE, type HubHost } from './hub-address';
import { chooseFile, listTables } from './hub-files';
import { createHubClient, NO_PATIENCE } from './hub-request';
import { hubSource } from './hub-source';
import type { OpenTable } from './open-table';
import { formatOf } from './table-format';

/**
 * @param open opens and decodes a table
 * @param host the hub, or a test server
 */
export function createTableOpener(
  open: OpenTable,
  clock: Pick<Clock, 'now' | 'sleep'>,
  host: HubHost = HUGGING_FACE,
): TableOpener<File> {
  const client = createHubClient(host, clock);
  return {
    openFile(file, signal, encoding) {
      const format = formatOf(file.name);
      if (format === null) return Promise.reject(new FaultError(fault('bad-request', UNKNOWN_FORMAT)));
      return open(fileSource(file), format, { kind: 'file', name: file.name }, signal, { encoding });
    },
    async openHub(address, signal, encoding) {
      const dataset = datasetAddress(address, host);
      const listing = await listTables(client, dataset, signal);
      const file = chooseFile(listing, address.file, dataset);
      const source = (patience: number) => hubSource(client, dataset, listing.commit, file, patience);
      const { repository } = dataset;
      const from = { kind: 'hub', repository, revision: listing.commit, file: file.path } as const;
      return open(source(NO_PATIENCE), file.format, from, signal, { later: source(IMPORT_PATIENCE), encoding });
    },
    async listHub(address, signal) {
      const { files } = await listTables(client, datasetAddress(address, host), signal);
      return files;
    },
  };
}

const UNKNOWN_FORMAT =
  'This is not a table that Podium reads. Choose a file that ends in .jsonl, .json, .csv, .tsv, .parquet, .eval or .yaml. The first four may be gzipped.';

/** Longest wait for the hub during an import, in ms. It is slightly longer than the hub's rate-limit window of 5 minutes. */
const IMPORT_PATIENCE = 330_000;
