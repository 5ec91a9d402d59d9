import { create } from 'zustand'
import { remember, remembered } from './remembered.ts'

export type Theme = 'system' | 'light' | 'dark'

const STORED = 'mixlab.theme'
const ORDER: readonly Theme[] = ['system', 'light', 'dark']
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

interface ThemeState {
  theme: Theme
  /** The resolved `theme`: light or dark. */
  dark: boolean
}

export const useTheme = create<ThemeState>(() => resolve(stored()))

/** Applies a theme and remembers it. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  remember(STORED, theme)
  useTheme.setState(resolve(theme))
}

/** The theme that the toggle goes to next. */
export function nextTheme(theme: Theme): Theme {
  return ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'system'
}

function resolve(theme: Theme): ThemeState {
  return { theme, dark: theme === 'dark' || (theme === 'system' && prefersDark.matches) }
}

function stored(): Theme {
  const value = remembered(STORED)
  return ORDER.find((theme) => theme === value) ?? 'system'
}

prefersDark.addEventListener('change', () => useTheme.setState(resolve(useTheme.getState().theme)))
