import { readFile } from 'node:fs/promises'
import { extname, resolve, sep } from 'node:path'

/** Content types of what a build of the page holds. */
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

export interface PageFile {
  bytes: Uint8Array<ArrayBuffer>
  /** For `content-type`. */
  type: string
}

/** The file at the path of a URL below `folder`; null if there is none, or the path leads out of the folder. */
export async function readPageFile(folder: string, path: string): Promise<PageFile | null> {
  const file = locate(folder, path)
  if (file === null) return null
  try {
    return { bytes: await readFile(file), type: types[extname(file)] ?? 'application/octet-stream' }
  } catch {
    return null
  }
}

function locate(folder: string, path: string): string | null {
  const root = resolve(folder)
  try {
    const name = decodeURIComponent(path === '/' ? '/index.html' : path)
    if (name.includes('\0') || name.includes('\\')) return null
    const file = resolve(root, `.${name}`)
    return file.startsWith(root + sep) ? file : null
  } catch {
    return null // a malformed escape such as %zz
  }
}
