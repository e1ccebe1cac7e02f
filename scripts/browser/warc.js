// HTML responses of WARC files, packed or not.
'use strict';
const fs = require('fs');
const zlib = require('zlib');

function unpackAll(bytes) { // gzip members one after the other
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try { return zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: 2 ** 31 }); } catch (e) { return Buffer.alloc(0); }
}

function headersOf(block) {
  const headers = {};
  for (const line of block.toString('latin1').split(/\r?\n/).slice(1)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}

function joinChunks(body) {
  const parts = [];
  for (let at = 0; ;) {
    const end = body.indexOf('\n', at);
    const size = end < 0 ? NaN : parseInt(body.toString('latin1', at, end), 16);
    if (!/^[0-9a-f]+\s*(;.*)?$/i.test(body.toString('latin1', at, end < 0 ? at : end).trim()) || Number.isNaN(size)) return parts.length ? Buffer.concat(parts) : body;
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 2;
  }
}

function unpackBody(headers, body) {
  if (/chunked/i.test(headers['transfer-encoding'] || '')) body = joinChunks(body);
  const coding = (headers['content-encoding'] || '').toLowerCase();
  try {
    if (coding === 'gzip' || coding === 'x-gzip') return zlib.gunzipSync(body);
    if (coding === 'deflate') return zlib.inflateSync(body);
    if (coding === 'br') return zlib.brotliDecompressSync(body);
  } catch (e) { /* archives that hold the unpacked body */ }
  return body;
}

// Calls take(url, contentType, body) for each response with status 200 and HTML; offset-ordered.
function eachPage(file, take) {
  const raw = fs.readFileSync(file);
  const bytes = unpackAll(raw);
  let at = 0;
  while (at < bytes.length) {
    const start = bytes.indexOf('WARC/', at, 'latin1');
    if (start < 0) return;
    let end = bytes.indexOf('\r\n\r\n', start, 'latin1');
    if (end < 0) return;
    const headers = headersOf(bytes.subarray(start, end));
    const length = parseInt(headers['content-length'], 10);
    if (Number.isNaN(length)) { at = start + 5; continue; }
    const block = bytes.subarray(end + 4, end + 4 + length);
    at = end + 4 + length;
    if (headers['warc-type'] !== 'response') continue;
    let head = block.indexOf('\r\n\r\n', 0, 'latin1');
    let skip = 4;
    if (head < 0) { head = block.indexOf('\n\n', 0, 'latin1'); skip = 2; }
    if (head < 0) continue;
    const status = /^HTTP\/\S+ (\d+)/.exec(block.toString('latin1', 0, 64));
    const http = headersOf(block.subarray(0, head));
    const type = http['content-type'] || '';
    if (!status || status[1] !== '200' || !/^\s*(text\/html|application\/xhtml\+xml)/i.test(type)) continue;
    take((headers['warc-target-uri'] || '').replace(/^<|>$/g, ''), type, () => unpackBody(http, block.subarray(head + skip)));
  }
}

module.exports = { eachPage };
