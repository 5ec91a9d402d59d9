import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder } from '../store/samples.ts'

/** A fresh folder with a page like a built one, beside a file that is none of the page's business. */
export function pageFolder(): string {
  const folder = freshFolder()
  const page = join(folder, 'page')
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  mkdirSync(join(folder, 'page-2'))
  writeFileSync(join(folder, 'page-2', 'secret.txt'), 'secret')
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>Mixlab</title>')
  writeFileSync(join(page, 'assets', 'main-1a.js'), 'export {}')
  writeFileSync(join(page, 'assets', 'kernel-2b.js'), 'export {}')
  writeFileSync(join(page, 'assets', 'with space.css'), '')
  writeFileSync(join(page, 'assets', 'font.ttf'), new Uint8Array([0, 1, 2, 255]))
  return page
}
