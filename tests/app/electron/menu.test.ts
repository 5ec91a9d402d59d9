import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { menuTemplate } from '../../../app/electron/menu.ts'

vi.mock('electron', () => ({ Menu: {} }))

const actions = { openWorkspace: vi.fn(), showWorkspace: vi.fn(), exportPdf: vi.fn() }

function itemsOf(menu: MenuItemConstructorOptions | undefined): MenuItemConstructorOptions[] {
  return Array.isArray(menu?.submenu) ? menu.submenu : []
}

describe.each(['linux', 'win32', 'darwin'] as const)('the menu on %s', (platform) => {
  const menus = menuTemplate(actions, platform)

  it('has the menus of the platform in its order', () => {
    const names = menus.map(({ label, role }) => label ?? role)
    const own = ['&File', 'editMenu', '&View', 'windowMenu', 'help']
    expect(names).toEqual(platform === 'darwin' ? ['appMenu', ...own] : own)
  })

  it('has something to do in each item', () => {
    for (const item of menus.flatMap(itemsOf)) expect(item.role ?? item.click ?? item.type).toBeDefined()
  })

  it('can be left', () => {
    expect(menus.flatMap(itemsOf).map(({ role }) => role)).toContain(platform === 'darwin' ? 'close' : 'quit')
  })
})
