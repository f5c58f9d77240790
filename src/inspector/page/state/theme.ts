// Dark or light: as the system says, until a person says otherwise.
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
    // Where nothing is kept it holds until the page is closed.
  }
}

export function keepTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
