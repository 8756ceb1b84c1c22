// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Sets the name of the field, where it isn't that of the component. */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Named {
  /** Returns the name: letters A to Z, digits and '_', no digit first. */
  String value();
}
