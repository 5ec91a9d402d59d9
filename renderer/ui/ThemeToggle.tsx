import { IconButton } from './IconButton.tsx'
import { nextTheme, setTheme, useTheme } from './theme.ts'

/** Goes round the themes: as the system, light, dark. */
export function ThemeToggle() {
  const theme = useTheme((state) => state.theme)
  const next = nextTheme(theme)
  return (
    <IconButton
      icon={theme}
      testId="theme"
      label={`Theme: ${theme}; change to ${next}`}
      onClick={() => setTheme(next)}
    />
  )
}
