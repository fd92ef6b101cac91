/**
 * @file Decompression codecs for Parquet, loaded only for files that need them. Snappy is missing here, because the Parquet
 * reader already contains it.
 */
import {
  decompressBrotli,
  decompressGzip,
  decompressLz4,
  decompressLz4Raw,
  decompressZstd,
  type Compressors,
} from 'hyparquet-compressors';

export const codecs: Compressors = {
  BROTLI: decompressBrotli,
  GZIP: decompressGzip,
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
  ZSTD: (input) => decompressZstd(input),
};
