// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the component of a relation that tells several of the same two ends apart; never blank. */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface InstanceKey {}
