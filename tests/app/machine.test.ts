import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { hasCard } from '../../app/machine.ts'

describe('hasCard', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'mixlab-graphics-'))
  })
  function put(name: string, text = '') {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }

  it.each([
    ['NVIDIA', '0x10de', true],
    ['AMD', '0x1002', true],
    ['Intel', '0x8086', true],
    ['QEMU', '0x1234', false],
    ['virtio', '0x1af4', false],
    ['VMware', '0x15ad', false],
  ])('knows %s by its vendor', (_, vendor, found) => {
    put('sys/class/drm/renderD128/device/vendor', `${vendor}\n`)
    expect(hasCard(root)).toBe(found)
  })

  it('knows the driver of NVIDIA, a second card, and nothing where there is nothing', () => {
    expect(hasCard(root)).toBe(false)
    put('sys/class/drm/renderD128/device/vendor', '0x1af4\n')
    put('sys/class/drm/renderD129/device/vendor', '0x10de\n')
    expect(hasCard(root)).toBe(true)
    const other = root
    root = mkdtempSync(join(tmpdir(), 'mixlab-graphics-'))
    put('dev/nvidia0')
    expect([hasCard(root), hasCard(other)]).toEqual([true, true])
  })
})
