import type { Money } from "../shared/money";
import type { Capabilities } from "./provider";
import type { ProviderName } from "./provider-account.entity";
