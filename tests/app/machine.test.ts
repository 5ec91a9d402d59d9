import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { hasCard } from '../../app/machine.ts'
import { freshFolder } from './store/samples.ts'

describe('hasCard', () => {
  let root = ''
  beforeEach(() => {
    root = freshFolder()
  })
  function put(name: string, text = '') {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }

  it.each([
    ['NVIDIA', '0x10de', true],
    ['AMD', '0x1002', true],
    ['Intel', '0x8086', true],
    ['Moore Threads', '0x1ed5', true],
    ['a vendor of tomorrow', '0xabcd', true],
    ['QEMU', '0x1234', false],
    ['virtio', '0x1af4', false],
    ['VMware', '0x15ad', false],
    ['the console of a server', '0x1a03', false],
  ])('knows %s by its vendor', (_, vendor, found) => {
    put('sys/class/drm/renderD128/device/vendor', `${vendor}\n`)
    put('dev/dri/renderD128')
    expect(hasCard(root, 'linux')).toBe(found)
  })

  it.each([
    ['one of several cards of NVIDIA, in a container', 'dev/nvidia3', true],
    ['NVIDIA without a card', 'dev/nvidiactl', false],
    ['WSL2', 'dev/dxg', true],
    ['a container that hides /sys', 'dev/dri/renderD129', true],
    ['a display without a card that computes', 'dev/dri/card0', false],
    ['a card without PCI', 'sys/class/drm/renderD128/device/uevent', true],
  ])('knows %s', (_, file, found) => {
    expect(hasCard(root, 'linux')).toBe(false)
    put(file)
    expect(hasCard(root, 'linux')).toBe(found)
  })

  it('knows a second card, and tries where there are no such files', () => {
    put('sys/class/drm/renderD128/device/vendor', '0x1af4\n')
    expect([hasCard(root, 'linux'), hasCard(root, 'darwin'), hasCard(root, 'win32')]).toEqual([false, true, true])
    put('sys/class/drm/renderD129/device/vendor', '0x10de\n')
    expect(hasCard(root, 'linux')).toBe(true)
  })
})
