import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from './api.ts';

export const UserApi = createContext<Api | undefined>(undefined);

export const useApi = (): Api => useContext(UserApi) as Api;
