import { gunzipSync, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { unpack } from '../../../app/catalogue/unpack.ts'
import { tarGz } from './archives.ts'

const texts = (files: Map<string, Uint8Array>) =>
  Object.fromEntries([...files].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]))
const MEMBERS = { 'cifar/': '', 'cifar/a.bin': 'x'.repeat(700), 'cifar/b.txt': 'cat\n', 'cifar/empty.txt': '' }
const FILES = { 'a.bin': 'x'.repeat(700), 'b.txt': 'cat\n', 'empty.txt': '' }

describe('unpack', () => {
  it('takes files out of a tar.gz archive, without their folders', () => {
    expect(texts(unpack(tarGz(MEMBERS), 'tar.gz'))).toEqual(FILES)
  })
  it('takes files out of a zip archive, without their folders', () => {
    const members = Object.entries(MEMBERS).map(([path, text]) => [path, new TextEncoder().encode(text)])
    expect(texts(unpack(zipSync(Object.fromEntries(members)), 'zip'))).toEqual(FILES)
  })
  it('leads nowhere else, and passes over hidden files', () => {
    const sly = { '../../up.txt': 'up', '/etc/passwd': 'root', 'a/._b': 'x', '..': 'y' }
    expect(texts(unpack(tarGz(sly), 'tar.gz'))).toEqual({ 'up.txt': 'up', passwd: 'root' })
  })
  it('refuses what is no such archive, and one that is cut off', () => {
    expect(() => unpack(new Uint8Array(9), 'tar.gz')).toThrow('incorrect header check')
    expect(() => unpack(new Uint8Array(9), 'zip')).toThrow('invalid zip data')
    const cut = gzipSync(gunzipSync(tarGz({ 'a.bin': 'x'.repeat(700) })).subarray(0, 1024))
    expect(() => unpack(cut, 'tar.gz')).toThrow("tar archive: 'a.bin' at offset 0 is not whole")
  })
})
