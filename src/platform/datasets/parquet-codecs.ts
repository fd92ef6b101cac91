/**
 * @file Decompression for Parquet. This module is loaded only for files that need it. It has no Snappy, because the Parquet reader
 * contains Snappy.
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
