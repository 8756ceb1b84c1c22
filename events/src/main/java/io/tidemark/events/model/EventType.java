// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Type and priority of the events of a record class. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface EventType {

  /** Type of the events, in dot-case; derived from the name of the record if left out. */
  String value() default "";

  /** Priority of the events; higher values are claimed sooner. */
  int priority() default Event.USUAL_PRIORITY;
}
