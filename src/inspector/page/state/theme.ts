// The theme, dark or light: the system's until a person picks another.
import { effect, signal } from '@preact/signals';

const KEY = 'reconverge theme';

function readTheme(): string {
  try {
    return localStorage.getItem(KEY) ?? 'system';
  } catch {
    return 'system';
  }
}

const theme = signal(readTheme());

function isDark(): boolean {
  return theme.value === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme.value === 'dark';
}

export function turnTheme(): void {
  theme.value = isDark() ? 'light' : 'dark';
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // Without local storage the choice lasts until the page is closed.
  }
}

export function keepTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
