import { gzipSync } from 'node:zlib'

/** A tar.gz archive of `path -> text`; a path that ends in `/` is a folder. */
export function tarGz(members: Record<string, string>): Uint8Array {
  const blocks = Object.entries(members).flatMap(([path, text]) => {
    const header = Buffer.alloc(512)
    header.write(path, 0)
    header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write(path.endsWith('/') ? '5' : '0', 156)
    return [header, Buffer.concat([Buffer.from(text), Buffer.alloc(-text.length & 511)])]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}
