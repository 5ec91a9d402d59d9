import { Menu, type MenuItemConstructorOptions } from 'electron'

/** What the menu's own items do. */
export interface MenuActions {
  openWorkspace(): void
  showWorkspace(): void
  exportPdf(): void
}

/** Sets the application's menu. */
export function setMenu(actions: MenuActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, process.platform)))
}

/** The menu as a table. */
export function menuTemplate(
  { openWorkspace, showWorkspace, exportPdf }: MenuActions,
  platform: NodeJS.Platform,
): MenuItemConstructorOptions[] {
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'Open Workspace…', accelerator: 'CmdOrCtrl+O', click: openWorkspace },
        { label: 'Show Workspace Folder', click: showWorkspace },
        { type: 'separator' },
        { label: 'Export Page as PDF…', click: exportPdf },
        { type: 'separator' },
        { role: platform === 'darwin' ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { type: 'separator' },
        { role: 'reload' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: platform === 'darwin' ? [] : [{ role: 'about' }] },
  ]
}
